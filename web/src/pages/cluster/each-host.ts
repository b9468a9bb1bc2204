/** What was asked for several hosts, each by itself. */
export interface EachHost {
  readonly total: number;
  readonly done: number;
  readonly refused: readonly { readonly address: string; readonly problem: unknown }[];
  readonly isOver: boolean;
}

const AT_ONCE = 8;

/** Asks for each host, a few at a time, and tells how far it is. A refusal stops no other; `signal` ends it between two of them. */
export async function eachHost(
  addresses: readonly string[],
  ask: (address: string) => Promise<unknown>,
  tell: (state: EachHost) => void,
  signal?: AbortSignal,
): Promise<EachHost> {
  let state: EachHost = { total: addresses.length, done: 0, refused: [], isOver: false };
  const become = (next: EachHost) => {
    state = next;
    tell(state);
  };
  become(state);
  const waiting = addresses.values();
  const worker = async () => {
    for (const address of waiting) {
      if (signal?.aborted) return;
      try {
        await ask(address);
        become({ ...state, done: state.done + 1 });
      } catch (problem) {
        become({ ...state, refused: [...state.refused, { address, problem }] });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, addresses.length) }, worker));
  become({ ...state, isOver: true });
  return state;
}
