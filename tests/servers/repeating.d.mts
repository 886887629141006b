export function repeating(
  said: string,
  tell: (message: object) => void,
): Record<string, ((params: object) => object | undefined) | undefined>;
