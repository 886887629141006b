import { isObject, type JsonObject } from '../format';
import { notePaths, quotedParts } from './words';

type Arguments = Record<string, unknown>;

/**
 * Arguments for a schema from the words of a question: `name: value` pairs first, then numbers, paths, quoted parts, a
 * city after "in". Two sets where the question asks twice ("in Rome and Paris").
 */
export function fillArguments(
  schema: JsonObject,
  question: string,
  toolName: string,
): { sets: Arguments[]; missing: string[] } {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const numbers = [...question.matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text));
  const quotes = quotedParts(question);
  const paths = notePaths(question);
  const filled: Arguments = {};
  let twice: { name: string; values: string[] } | null = null;

  for (const [name, raw] of Object.entries(properties)) {
    const property = isObject(raw) ? raw : {};
    const pair = pairIn(question, name);
    const needed = required.includes(name);
    const type = Array.isArray(property.type) ? property.type[0] : property.type;
    if (pair !== null) filled[name] = coerced(pair, type);
    else if (Array.isArray(property.enum)) {
      const choice = property.enum.find((value) =>
        question.toLowerCase().includes(String(value).toLowerCase()),
      );
      if (choice !== undefined || needed) filled[name] = choice ?? property.enum[0];
    } else if (type === 'number' || type === 'integer') {
      if (needed && numbers.length > 0) filled[name] = numbers.shift();
    } else if (type === 'boolean') {
      if (needed) filled[name] = !/\b(no|not|without|false)\b/i.test(question);
    } else if (type === 'array') {
      if (needed && /path|file/i.test(name) && paths.length > 0) filled[name] = paths;
      else if (needed && quotes.length > 0) filled[name] = quotes.splice(0);
    } else if (type === 'string' || type === undefined) {
      if (!needed) continue;
      if (/path|file/i.test(name) && paths.length > 0) filled[name] = paths.shift();
      else if (/location|city|place|town|country/i.test(name)) {
        const values = placesIn(question);
        if (values[0] !== undefined) filled[name] = values[0];
        if (values.length > 1) twice = { name, values };
      } else if (quotes.length > 0) filled[name] = quotes.shift();
      else if (/query|search|question|prompt|text|message|input|term|pattern|expression/i.test(name)) {
        const rest = restOf(question, toolName);
        if (rest !== '') filled[name] = rest;
      }
    }
    if (filled[name] === undefined && property.default !== undefined) filled[name] = property.default;
  }
  const missing = required.filter((name) => filled[name] === undefined);
  const split = twice;
  return {
    sets: split ? split.values.slice(0, 2).map((value) => ({ ...filled, [split.name]: value })) : [filled],
    missing,
  };
}

/** `name: value`, `name = "value"`, "name value" in backticks or quotes. */
function pairIn(question: string, name: string): string | null {
  const match = new RegExp(
    `(?:^|[\\s,(\`])${name.replace(/[^\w]/g, '\\$&')}\`?\\s*(?:[:=]\\s*|\\s(?=["“]))(?:"([^"]*)"|“([^”]*)”|([^\\s,;]+))`,
    'i',
  ).exec(question);
  return match ? (match[1] ?? match[2] ?? match[3] ?? null) : null;
}

function coerced(text: string, type: unknown): unknown {
  if (type === 'number' || type === 'integer') return Number(text);
  if (type === 'boolean') return text.toLowerCase() === 'true';
  if (type === 'array') return text.split(',').map((part) => part.trim());
  return text;
}

/** "in Rome and Paris?" → both. */
function placesIn(question: string): string[] {
  const places = /\b(?:in|at|for|of)\s+((?:\p{Lu}[\p{L}'-]*)(?:[\s,]+(?:and\s+)?\p{Lu}[\p{L}'-]*)*)/u.exec(
    question,
  )?.[1];
  return places ? places.split(/\sand\s|,\s*and\s/).map((place) => place.trim()) : [];
}

/** What is left of a question without the words that only choose the tool. */
function restOf(question: string, toolName: string): string {
  const chosen = new RegExp(
    `\\b(please|use|call|run|the|tool|to|with|${toolName.split(/[_-]+/).join('|')})\\b`,
    'gi',
  );
  return question
    .replace(/`[^`]*`/g, ' ')
    .replace(chosen, ' ')
    .replace(/(?<![?!.])[?!.]+$/, '')
    .replace(/^[\s,:]+|\s+(?=\s)/g, '')
    .trim();
}
