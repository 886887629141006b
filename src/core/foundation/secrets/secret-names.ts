/**
 * Whether what has this name may be a secret. The one answer for settings, the trust screen and the log: what one of them hides,
 * all do. What stands in a command line has narrower names (`secret-parts`), since a flag's value is more often none.
 */
export const mayNameSecret = (name: string): boolean =>
  /(key|token|secret|pass|pwd|auth|credential|cookie|session|private|signature|bearer)/i.test(name);

/** Of headers a literal is a secret unless it is one of these. */
export const openHeaders = /^(accept|accept-language|content-type|user-agent|cache-control)$/i;
