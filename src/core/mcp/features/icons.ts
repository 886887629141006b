import { z } from 'zod';

/** Characters. The icons of one server travel with each list of its tools. */
const most = { icon: 24_000, ofOneList: 250_000, listed: 20 };

const Icon = z.looseObject({
  src: z
    .string()
    .max(most.icon)
    .regex(/^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i),
  theme: z.string().optional().catch(undefined),
});

/**
 * The icon of a server or a tool, where it brought the picture with it: what lies elsewhere is never fetched, for asking
 * for it would tell its owner who looks and when. One for both themes is preferred.
 */
export function iconOf(icons: unknown): string | null {
  if (!Array.isArray(icons)) return null;
  const usable = icons.slice(0, most.listed).flatMap((icon) => Icon.safeParse(icon).data ?? []);
  return (usable.find(({ theme }) => theme === undefined) ?? usable[0])?.src ?? null;
}

/** Hands out what a list of tools may carry; icons beyond that are left out. */
export function createIconShare(): (icons: unknown) => string | null {
  let remaining = most.ofOneList;
  return (icons) => {
    const icon = iconOf(icons);
    if (icon === null || icon.length > remaining) return null;
    remaining -= icon.length;
    return icon;
  };
}
