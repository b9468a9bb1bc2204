import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';

/** The address bar follows when somebody pauses: browsers refuse to change it at every key. */
const PAUSE_MS = 150;
const HOSTS = '/hosts';

/** What is typed into the search, which the address bar has as well. `q`: what it has now. */
export function useSearchText(q: string): readonly [text: string, type: (text: string) => void] {
  const navigate = useNavigate({ from: HOSTS });
  const [text, setText] = useState(q);
  const written = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Somebody went back, or pressed a link.
    if (q === written.current) return;
    written.current = q;
    setText(q);
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const type = useCallback(
    (next: string) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // Somebody has gone elsewhere meanwhile, to a page that is still being loaded.
        if (globalThis.location.pathname !== HOSTS) return;
        written.current = next;
        navigate({
          search: ({ q: _before, ...others }) => (next === '' ? others : { ...others, q: next }),
          replace: true,
          resetScroll: false,
        });
      }, PAUSE_MS);
    },
    [navigate],
  );
  return [text, type];
}
