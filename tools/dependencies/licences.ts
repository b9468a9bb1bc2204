/** Licences that only require attribution. */
const PERMISSIVE = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'],
];

/** Also allowed for tools that are not shipped: they require only the sources of their own files. */
const ALSO_FOR_TOOLS = ['MPL-2.0'];

/** Of `OR` one licence must be allowed, of `AND` all. */
export function isAllowed(licence: string, isTool: boolean): boolean {
  const allowed = isTool ? [...PERMISSIVE, ...ALSO_FOR_TOOLS] : PERMISSIVE;
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(entry => allowed.includes(entry)));
}

/** Old packages have a list. */
export function parseLicence(manifest: {
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}): string {
  const { license, licenses = [] } = manifest;
  const types = typeof license === 'string' ? [license] : [license, ...licenses].map(entry => entry?.type);
  return types.filter(entry => entry !== undefined).join(' OR ') || 'none';
}
