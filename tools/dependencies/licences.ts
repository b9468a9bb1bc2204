/** They ask for nothing but to be named. */
const PERMISSIVE = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'],
];

/** What is only worked with, and given to nobody, may also ask for the sources of its own files. */
const ALSO_FOR_TOOLS = ['MPL-2.0'];

/** Whether a package may be used: of alternatives one is enough, of what holds together all must be fine. */
export function isAllowed(licence: string, isTool: boolean): boolean {
  const allowed = isTool ? [...PERMISSIVE, ...ALSO_FOR_TOOLS] : PERMISSIVE;
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(each => allowed.includes(each)));
}

/** What a package says of itself; old ones have a list. */
export function parseLicence(manifest: {
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}): string {
  const { license, licenses = [] } = manifest;
  const types = typeof license === 'string' ? [license] : [license, ...licenses].map(each => each?.type);
  return types.filter(each => each !== undefined).join(' OR ') || 'none';
}
