import { useCallback, useMemo, useRef, useState } from 'react';
import { allPressed, NOTHING_CHOSEN, pressed } from './selection.ts';

/** What boxes at rows need to know. */
export interface Choosing {
  readonly chosen: ReadonlySet<string>;
  /** Whether all that are shown are chosen. */
  readonly areAll: boolean;
  readonly press: (address: string, isRange: boolean) => void;
  readonly pressAll: (isOn: boolean) => void;
}

/** Which of the hosts that are shown are chosen; the same object until that changes. */
export function useSelection(shown: readonly { readonly address: string }[]) {
  const [selection, setSelection] = useState(NOTHING_CHOSEN);
  const latest = useRef(shown);
  latest.current = shown;
  const { chosen } = selection;

  const press = useCallback(
    (address: string, isRange: boolean) =>
      setSelection(before => pressed(before, address, latest.current, isRange)),
    [],
  );
  const pressAll = useCallback(
    (isOn: boolean) => setSelection(before => allPressed(before, latest.current, isOn)),
    [],
  );
  const choose = useCallback(
    (addresses: readonly string[]) => setSelection({ chosen: new Set(addresses), from: undefined }),
    [],
  );
  const areAll = useMemo(
    () =>
      chosen.size >= shown.length && shown.length > 0 && shown.every(({ address }) => chosen.has(address)),
    [chosen, shown],
  );
  const choosing = useMemo(
    (): Choosing => ({ chosen, areAll, press, pressAll }),
    [chosen, areAll, press, pressAll],
  );
  return { chosen, choosing, choose };
}
