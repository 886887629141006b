import type { ToolEntry } from '../../../contract/tools';
import { useLanguage } from '../../base/text/text';

/** Our own colours and sizes under the names that the protocol gives them. */
const variables: Readonly<Record<string, string>> = {
  '--color-background-primary': '--canvas',
  '--color-background-secondary': '--chrome',
  '--color-background-tertiary': '--chrome-strong',
  '--color-background-inverse': '--text',
  '--color-background-info': '--accent-soft',
  '--color-background-danger': '--bad-soft',
  '--color-background-success': '--good-soft',
  '--color-background-warning': '--warn-soft',
  '--color-text-primary': '--text',
  '--color-text-secondary': '--text-soft',
  '--color-text-tertiary': '--text-faint',
  '--color-text-inverse': '--canvas',
  '--color-text-info': '--accent',
  '--color-text-danger': '--bad',
  '--color-text-success': '--good',
  '--color-text-warning': '--warn',
  '--color-border-primary': '--line-strong',
  '--color-border-secondary': '--line-soft',
  '--color-border-tertiary': '--line-soft',
  '--color-border-info': '--accent-line',
  '--color-border-danger': '--bad-line',
  '--color-border-warning': '--warn-line',
  '--color-ring-primary': '--accent',
  '--font-sans': '--font-ui',
  '--font-mono': '--font-mono',
  '--font-text-xs-size': '--size-xs',
  '--font-text-sm-size': '--size-s',
  '--font-text-md-size': '--size-m',
  '--font-text-lg-size': '--size-l',
  '--font-heading-sm-size': '--size-l',
  '--font-heading-md-size': '--size-xl',
  '--font-heading-lg-size': '--size-xxl',
  '--border-radius-sm': '--radius-s',
  '--border-radius-md': '--radius',
  '--border-radius-lg': '--radius-l',
  '--shadow-md': '--shadow-pop',
};

/** The part that changes with the theme. */
export function lookOf(root: HTMLElement): Record<string, unknown> {
  const style = getComputedStyle(root);
  return {
    theme: root.dataset.theme === 'dark' ? 'dark' : 'light',
    styles: {
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, ours]) => [name, style.getPropertyValue(ours).trim()]),
      ),
    },
  };
}

export function hostContext(parts: {
  root: HTMLElement;
  tool: ToolEntry | undefined;
  version: string;
  width: number;
  maxHeight: number;
}): Record<string, unknown> {
  const { tool } = parts;
  return {
    ...lookOf(parts.root),
    ...(tool && {
      toolInfo: {
        tool: {
          name: tool.name,
          title: tool.title,
          description: tool.description,
          inputSchema: tool.inputSchema,
        },
      },
    }),
    displayMode: 'inline',
    availableDisplayModes: ['inline', 'fullscreen'],
    containerDimensions: { width: parts.width, maxHeight: parts.maxHeight },
    locale: useLanguage.getState().language === 'zh' ? 'zh-CN' : 'en',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: `interlinear/${parts.version}`,
    platform: 'desktop',
    deviceCapabilities: { touch: navigator.maxTouchPoints > 0, hover: matchMedia('(hover: hover)').matches },
  };
}
