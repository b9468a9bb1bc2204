import { ApiError } from '#sdk/client.ts';
import { capitalize } from '../format/text.ts';

export interface FieldErrors {
  /** What is wrong with a field, by its name. */
  readonly byField: Readonly<Record<string, string>>;
  /** What to show above the fields if some of them have errors; `undefined`: none has. */
  readonly summary: unknown;
  /** What to show of the whole form if no field has an error; `undefined`: nothing. */
  readonly formError: unknown;
}

const FIX_FIELDS = 'Fix the errors below.';

/** The summary of a form with errors that the page has found by itself. */
export const invalidForm = (errors: object): Error | undefined =>
  Object.keys(errors).length === 0 ? undefined : new Error(FIX_FIELDS);

/** The server names the place of the name in the URL, which a form does not have. */
const NAME_ERROR = 'Use 1 to 128 letters, digits, _ or -. Spaces are not allowed.';

/** `is not a private key` needs a subject; other messages begin with a verb such as `must`. */
const errorText = (message: string): string =>
  message.startsWith('is ') ? `This ${message}` : capitalize(message);

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** A field, and what of it is meant; empty: all of it. */
interface FieldTarget {
  readonly name: string;
  readonly entry: string;
}

/** Which field of a form it is about, by the first two parts of a pointer; `undefined`: none. */
export type FieldResolver = (name: string, subfield: string | undefined) => FieldTarget | string | undefined;

function resolveTarget(
  path: string,
  resolveField: FieldResolver,
  pathPrefix: string,
): FieldTarget | undefined {
  const hasPrefix = path.startsWith(`${pathPrefix}/`);
  const [first = '', second] = path
    .slice(hasPrefix ? pathPrefix.length + 1 : 1)
    .split('/')
    .map(unescapePointer);
  const resolved = resolveField(first, second);
  if (typeof resolved !== 'string') return resolved;
  const isListItem = second !== undefined && /^\d+$/.test(second);
  return { name: resolved, entry: isListItem ? `Item ${Number(second) + 1}` : '' };
}

/**
 * Puts the errors of a refusal beside the fields that they are about. `names`: the fields there are, or what finds one where a form has
 * others than the body; `within`: where those of them stand that are no fields of the body itself, such as `/options`.
 */
export function mapFieldErrors(
  error: unknown,
  names: readonly string[] | FieldResolver,
  pathPrefix = '',
): FieldErrors {
  const resolveField: FieldResolver =
    typeof names === 'function' ? names : name => (names.includes(name) ? name : undefined);
  if (!(error instanceof ApiError)) return { byField: {}, summary: undefined, formError: error };
  const { errors = [], code } = error.problem;
  if (code === 'invalid_name' && resolveField('name', undefined) === 'name')
    return { byField: { name: NAME_ERROR }, summary: undefined, formError: undefined };
  const byField: Record<string, string> = {};
  const others = errors.filter(({ path, message }) => {
    const target = resolveTarget(path, resolveField, pathPrefix);
    if (target === undefined) return true;
    const text = target.entry === '' ? errorText(message) : `${target.entry} ${message}`;
    const previous = byField[target.name];
    // Several rules may say the same of a value.
    if (previous?.includes(text) !== true)
      byField[target.name] = previous === undefined ? text : `${previous}; ${text}`;
    return false;
  });
  if (others.length === errors.length) return { byField, summary: undefined, formError: error };
  return {
    byField,
    summary: new ApiError(error.status, {
      ...error.problem,
      ...{ detail: FIX_FIELDS, errors: others, request_id: '' },
    }),
    formError: undefined,
  };
}
