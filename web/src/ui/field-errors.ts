import { RequestRefused } from '#client/client.ts';

export interface FieldErrors {
  /** What is wrong with a field, by its name. */
  readonly of: Readonly<Record<string, string>>;
  /** What is left to be told of the whole; `undefined`: nothing. */
  readonly rest: unknown;
}

const LOOK = 'Some fields are not right yet: it stands below each.';

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');
const begun = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Which field a pointer leads to, and which entry of it. */
function placeOf(path: string, names: readonly string[], within: string) {
  const isWithin = path.startsWith(`${within}/`);
  const [name = '', entry] = path
    .slice(isWithin ? within.length + 1 : 1)
    .split('/')
    .map(unescaped);
  return names.includes(name) ? { name, entry } : undefined;
}

/**
 * Puts the errors of a refusal beside the fields that they are about. `names`: the fields there are; `within`: where those of them stand
 * that are no fields of the body itself, such as `/options`.
 */
export function fieldErrors(problem: unknown, names: readonly string[], within = ''): FieldErrors {
  if (!(problem instanceof RequestRefused)) return { of: {}, rest: problem };
  const { errors = [], code, detail } = problem.problem;
  if (code === 'invalid_name' && names.includes('name'))
    return { of: { name: begun(detail) }, rest: undefined };
  const of: Record<string, string> = {};
  const others = errors.filter(({ path, message }) => {
    const place = placeOf(path, names, within);
    if (place === undefined) return true;
    const isEntry = place.entry !== undefined && /^\d+$/.test(place.entry);
    const text = isEntry ? `Entry ${Number(place.entry) + 1} ${message}` : begun(message);
    of[place.name] = place.name in of ? `${of[place.name]}; ${text}` : text;
    return false;
  });
  if (others.length === errors.length) return { of, rest: problem };
  return {
    of,
    rest: new RequestRefused(problem.status, { ...problem.problem, detail: LOOK, errors: others }),
  };
}
