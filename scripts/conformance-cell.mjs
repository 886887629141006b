/** What came of a scenario's checks. One that came to none of them has shown nothing. */
export function cellText({ passed, of, failed }) {
  if (of === 0) return '–';
  return `${failed.length > 0 ? '✗' : '✓'} ${passed}/${of}`;
}
