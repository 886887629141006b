import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TabsProps<V extends string> {
  value: V;
  onChange(value: NoInfer<V>): void;
  label: string;
  tabs: readonly { readonly value: NoInfer<V>; readonly label: ReactNode; readonly content: ReactNode }[];
}

export function Tabs<V extends string>({ value, onChange, label, tabs }: TabsProps<V>) {
  return (
    <Radix.Root className="ui-tabs" value={value} onValueChange={(next) => onChange(next as V)}>
      <Radix.List className="ui-tabs-list" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} className="ui-tab" value={tab.value}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} className="ui-tabs-content" value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
