import { useEffect, useRef, useState } from 'react';

/** A value that changes quickly, as it was at most so long ago. */
export function useAtMostEvery<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const shownMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const waitMs = Math.max(0, shownMs.current + everyMs - performance.now());
    const timer = setTimeout(() => {
      shownMs.current = performance.now();
      setShown(value);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return shown;
}
