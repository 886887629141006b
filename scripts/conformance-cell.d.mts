export function cellText(cell: { passed: number; of: number; failed: readonly unknown[] }): string;
