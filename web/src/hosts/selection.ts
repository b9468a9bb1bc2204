/** `anchor`: the host that was toggled last, from which a range starts. */
export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const EMPTY_SELECTION: Selection = { selected: new Set(), anchor: undefined };

/** With `isRange`, all visible hosts between the anchor and this host get the new state of this host. */
export function toggle(
  { selected, anchor }: Selection,
  address: string,
  visible: readonly { readonly address: string }[],
  isRange: boolean,
): Selection {
  const isOn = !selected.has(address);
  const next = new Set(selected);
  const [start, end] = [anchor, address].map(target => visible.findIndex(row => row.address === target));
  const hasRange = isRange && start !== undefined && end !== undefined && start !== -1 && end !== -1;
  const range = hasRange ? visible.slice(Math.min(start, end), Math.max(start, end) + 1) : [{ address }];
  for (const row of range) {
    if (isOn) next.add(row.address);
    else next.delete(row.address);
  }
  return { selected: next, anchor: address };
}

export function toggleAll(
  { selected }: Selection,
  visible: readonly { readonly address: string }[],
  isOn: boolean,
): Selection {
  const addresses = visible.map(({ address }) => address);
  return {
    selected: isOn ? selected.union(new Set(addresses)) : selected.difference(new Set(addresses)),
    anchor: undefined,
  };
}
