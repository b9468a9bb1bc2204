import { useCallback, useEffect, useRef, useState } from 'react';
import type { Following, Progress } from './run-each.ts';

/** How far something is that is asked for many hosts. Who leaves the page stops it. */
export function useProgress() {
  const [progress, setProgress] = useState<Progress>();
  const over = useRef(new AbortController());
  useEffect(() => () => over.current.abort(), []);
  const begin = (): Following => {
    over.current = new AbortController();
    return { signal: over.current.signal, onProgress: setProgress };
  };
  const stop = useCallback(() => over.current.abort(), []);
  const forget = useCallback(() => setProgress(undefined), []);
  return { progress, isRunning: progress !== undefined && !progress.isOver, begin, stop, forget };
}
