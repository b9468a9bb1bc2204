/** Addresses that were chosen, and the one that was pressed last, from which a range begins. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly from: string | undefined;
}

export const NOTHING_CHOSEN: Selection = { chosen: new Set(), from: undefined };

/** Chooses one, or no more. With `isRange` all from the one before up to it become as it does, in the order that is shown. */
export function pressed(
  { chosen, from }: Selection,
  address: string,
  shown: readonly { readonly address: string }[],
  isRange: boolean,
): Selection {
  const isOn = !chosen.has(address);
  const next = new Set(chosen);
  const [start, end] = [from, address].map(each => shown.findIndex(row => row.address === each));
  const isKnown = isRange && start !== undefined && end !== undefined && start !== -1 && end !== -1;
  const range = isKnown ? shown.slice(Math.min(start, end), Math.max(start, end) + 1) : [{ address }];
  for (const row of range) {
    if (isOn) next.add(row.address);
    else next.delete(row.address);
  }
  return { chosen: next, from: address };
}

/** All that are shown, or none where all were. */
export function allPressed(
  { chosen }: Selection,
  shown: readonly { readonly address: string }[],
  isOn: boolean,
): Selection {
  const addresses = shown.map(({ address }) => address);
  return {
    chosen: isOn ? chosen.union(new Set(addresses)) : chosen.difference(new Set(addresses)),
    from: undefined,
  };
}
