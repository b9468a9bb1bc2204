import { useEffect, useRef, useState } from 'react';
import type { EachHost } from './each-host.ts';
import { eachHost } from './each-host.ts';

/** Asks for several hosts, and knows how far that is. Who leaves the page stops it. */
export function useEachHost(ask: (address: string) => Promise<unknown>) {
  const [state, setState] = useState<EachHost>();
  const end = useRef(new AbortController());
  const stop = () => end.current.abort();
  useEffect(() => () => end.current.abort(), []);
  const run = (addresses: readonly string[]) => {
    end.current = new AbortController();
    return eachHost(addresses, ask, setState, end.current.signal);
  };
  return { state, run, stop, forget: () => setState(undefined) };
}
