/** A set with one more, or one less. */
export function toggled(chosen: ReadonlySet<string>, address: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(address)) next.add(address);
  return next;
}
