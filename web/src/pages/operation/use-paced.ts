import { useEffect, useRef, useState } from 'react';

/** A value that changes often, at most so often. The last one always comes. */
export function usePaced<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const lastMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const show = () => {
      lastMs.current = performance.now();
      setShown(value);
    };
    const waitMs = lastMs.current + everyMs - performance.now();
    const timer = setTimeout(show, Math.max(0, waitMs));
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return shown;
}
