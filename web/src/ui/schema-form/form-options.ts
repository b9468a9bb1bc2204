import { REDACTED_OPTION } from '#vocabulary';
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

/** Whether a secret can stay without being typed: those who were not told it cannot send it again. */
export const canKeep = (before: unknown): boolean => before !== REDACTED_OPTION;

/** What is typed, when the record turns out to be another than the form began with: what was not touched becomes what it is now. */
export function rebased(
  fields: readonly OptionField[],
  typed: Typed,
  { before, now }: { readonly before: Options; readonly now: Options },
): Typed {
  const begunWith = typedFrom(fields, before);
  const touched = Object.entries(typed).filter(([name, value]) => value !== begunWith[name]);
  return { ...typedFrom(fields, now), ...Object.fromEntries(touched) };
}

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
