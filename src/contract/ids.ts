import './no-eval';
import * as z from 'zod';

/** Relative to the vault, with forward slashes on every system. */
export const NotePath = z.string().min(1).max(4096);
export type NotePath = z.infer<typeof NotePath>;

/** Generated when a server is added; never its name. */
export const ServerId = z.string().min(1).max(128);
export type ServerId = z.infer<typeof ServerId>;

export const ProviderId = z.string().min(1).max(128);
export type ProviderId = z.infer<typeof ProviderId>;

export const RunId = z.string().min(1).max(64);
export type RunId = z.infer<typeof RunId>;

export const CallId = z.string().min(1).max(64);
export type CallId = z.infer<typeof CallId>;
