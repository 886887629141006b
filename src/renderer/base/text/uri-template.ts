/** The simple expressions of RFC 6570 that servers use: `{name}`, `{+name}`, `{?a,b}` and their like. */
const expression = /\{([+#./;?&]?)([^{}]+)\}/g;

const namesIn = (list: string) => list.split(',').map((name) => name.replace(/(\*|:\d+)$/, '').trim());

export function variablesOf(template: string): string[] {
  return [...new Set([...template.matchAll(expression)].flatMap(([, , list = '']) => namesIn(list)))];
}

export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_whole, operator: string, list: string) => {
    const open = operator === '+' || operator === '#';
    const names = namesIn(list).filter((name) => values[name]);
    if (names.length === 0) return '';
    const encoded = (name: string) => (open ? encodeURI : encodeURIComponent)(values[name] ?? '');
    const isNamed = operator === '?' || operator === '&' || operator === ';';
    const parts = names.map((name) => (isNamed ? `${name}=${encoded(name)}` : encoded(name)));
    const between =
      operator === '?' || operator === '&'
        ? '&'
        : isNamed || operator === '/' || operator === '.'
          ? operator
          : ',';
    return (operator === '+' ? '' : operator) + parts.join(between);
  });
}
