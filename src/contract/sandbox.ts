import './no-eval';
import * as z from 'zod';

const path = z.string().min(1).max(4096);
/** A name, a name and all below it, any of them (`*`) or a number; a port after it stands for that port alone. */
const host = z
  .string()
  .max(300)
  .regex(
    /^(\*|localhost|(\*\.[\w-]+|[\w-]+)(\.[\w-]+)+|\[[\da-f:.]+\])(:[1-9]\d{0,4})?$/i,
    'is no host, such as example.org or *.example.org',
  );

/** What a program may touch beyond what it needs to run; `false`: whatever the person themselves may. */
export const Sandbox = z.union([
  z.literal(false),
  z.strictObject({
    read: z.array(path).max(100).optional(),
    write: z.array(path).max(100).optional(),
    hosts: z.array(host).max(100).optional(),
  }),
]);
export type Sandbox = z.infer<typeof Sandbox>;

const limits = { read: z.array(z.string()), write: z.array(z.string()), hosts: z.array(z.string()) };
/** Every part said. */
export type Limits = { [K in keyof typeof limits]: string[] };

/** What a server was refused, as far as it can be told. */
export const Denial = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('host'), host }),
  z.object({ kind: z.enum(['read', 'write']), path }),
]);
export type Denial = z.infer<typeof Denial>;

/** As it stands in the server's file, else as it is without a word. */
export const ServerSandbox = z.object({
  isOn: z.boolean(),
  /** Its file says nothing of it. */
  isDefault: z.boolean(),
  ...limits,
  /** The newest last. */
  denials: z.array(Denial),
});
export type ServerSandbox = z.infer<typeof ServerSandbox>;

/** Why nothing can be put into a sandbox here: no way is known, a program is missing, it was tried and failed. */
export const NoSandbox = z.object({ why: z.enum(['system', 'missing', 'refused']), detail: z.string() });
export type NoSandbox = z.infer<typeof NoSandbox>;
