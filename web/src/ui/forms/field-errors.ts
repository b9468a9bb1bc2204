import { RequestRefused } from '#client/client.ts';
import { begun } from '../words/sentence.ts';

export interface FieldErrors {
  /** What is wrong with a field, by its name. */
  readonly of: Readonly<Record<string, string>>;
  /** What to show above the fields if some of them have errors; `undefined`: none has. */
  readonly summary: unknown;
  /** What to show of the whole form if no field has an error; `undefined`: nothing. */
  readonly rest: unknown;
}

const LOOK = 'Fix the errors below.';

/** The summary of a form with errors that the page has found by itself. */
export const invalidForm = (errors: object): Error | undefined =>
  Object.keys(errors).length === 0 ? undefined : new Error(LOOK);

/** The server names the place of the name in the URL, which a form does not have. */
const NAME_ERROR = 'Use 1 to 128 letters, digits, _ or -. Spaces are not allowed.';

/** `is not a private key` needs a subject; other messages begin with a verb such as `must`. */
const errorText = (message: string): string =>
  message.startsWith('is ') ? `This ${message}` : begun(message);

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** A field, and what of it is meant; empty: all of it. */
interface Place {
  readonly name: string;
  readonly entry: string;
}

/** Which field of a form it is about, by the first two parts of a pointer; `undefined`: none. */
export type FieldAt = (name: string, part: string | undefined) => Place | string | undefined;

function placeOf(path: string, fieldAt: FieldAt, within: string): Place | undefined {
  const isWithin = path.startsWith(`${within}/`);
  const [first = '', second] = path
    .slice(isWithin ? within.length + 1 : 1)
    .split('/')
    .map(unescaped);
  const found = fieldAt(first, second);
  if (typeof found !== 'string') return found;
  const isOfList = second !== undefined && /^\d+$/.test(second);
  return { name: found, entry: isOfList ? `Item ${Number(second) + 1}` : '' };
}

/**
 * Puts the errors of a refusal beside the fields that they are about. `names`: the fields there are, or what finds one where a form has
 * others than the body; `within`: where those of them stand that are no fields of the body itself, such as `/options`.
 */
export function fieldErrors(problem: unknown, names: readonly string[] | FieldAt, within = ''): FieldErrors {
  const fieldAt: FieldAt =
    typeof names === 'function' ? names : name => (names.includes(name) ? name : undefined);
  if (!(problem instanceof RequestRefused)) return { of: {}, summary: undefined, rest: problem };
  const { errors = [], code } = problem.problem;
  if (code === 'invalid_name' && fieldAt('name', undefined) === 'name')
    return { of: { name: NAME_ERROR }, summary: undefined, rest: undefined };
  const of: Record<string, string> = {};
  const others = errors.filter(({ path, message }) => {
    const place = placeOf(path, fieldAt, within);
    if (place === undefined) return true;
    const text = place.entry === '' ? errorText(message) : `${place.entry} ${message}`;
    const before = of[place.name];
    // Several rules may say the same of a value.
    if (before?.includes(text) !== true) of[place.name] = before === undefined ? text : `${before}; ${text}`;
    return false;
  });
  if (others.length === errors.length) return { of, summary: undefined, rest: problem };
  return {
    of,
    summary: new RequestRefused(problem.status, {
      ...problem.problem,
      ...{ detail: LOOK, errors: others, request_id: '' },
    }),
    rest: undefined,
  };
}
