import type { OptionField } from './option-fields.ts';

export type Options = Readonly<Record<string, unknown>>;

/** What is typed, by the name of the field; empty: the option is not given. `KEPT`: a secret stays what it was. */
export type Typed = Readonly<Record<string, string | typeof KEPT>>;
export const KEPT = null;

function typedOf({ kind }: OptionField, value: unknown): Typed[string] {
  if (value === undefined) return '';
  if (kind === 'secret') return KEPT;
  if (kind === 'texts' && Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the form of a record begins with. Secrets are never put into a field. */
export const typedFrom = (fields: readonly OptionField[], options: Options): Typed =>
  Object.fromEntries(fields.map(field => [field.name, typedOf(field, options[field.name])]));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What cannot be read is sent as it was typed: the service says what is wrong with it. */
function readText({ kind }: OptionField, text: string): unknown {
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === 'keyed') {
    const value = parsed(text);
    return typeof value === 'object' && value !== null ? value : text.trim();
  }
  if (kind === 'texts')
    return text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '');
  return kind === 'text' ? text.trim() : text;
}

/**
 * What is asked for. A secret that is kept is what the service told before: the secret, or for those who may not see it the word in its
 * place, which the service refuses in its own words. Options that have no field stay.
 */
export function optionsFrom(fields: readonly OptionField[], typed: Typed, before: Options = {}): Options {
  const named = new Set(fields.map(({ name }) => name));
  const others = Object.entries(before).filter(([name]) => !named.has(name));
  const given = fields.flatMap(field => {
    const text = typed[field.name] ?? KEPT;
    if (text === KEPT) return field.name in before ? [[field.name, before[field.name]] as const] : [];
    return text.trim() === '' ? [] : [[field.name, readText(field, text)] as const];
  });
  return Object.fromEntries([...others, ...given]);
}
