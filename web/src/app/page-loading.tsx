import type { ComponentType } from 'react';
import { use } from 'react';

/** After so long, whoever tries again has it loaded again. */
const RETRY_AFTER_MS = 1000;

class PageLoadError extends Error {
  constructor(cause: unknown) {
    super('Could not load this page. Check the connection to the server and try again.', { cause });
    this.name = 'PageNotLoaded';
  }
}

/**
 * A page that is loaded when somebody goes there. One that cannot be is told as a failure, and nothing is reloaded by itself: while the service
 * is away that would cost what is on the screen.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<{ readonly [Key in Name]: ComponentType }>,
  name: Name,
) {
  let loaded: Promise<ComponentType> | undefined;
  const preload = () => {
    loaded ??= load().then(
      module => module[name],
      cause => {
        setTimeout(() => {
          loaded = undefined;
        }, RETRY_AFTER_MS);
        throw new PageLoadError(cause);
      },
    );
    return loaded;
  };
  const LazyPage = () => {
    const Page = use(preload());
    return <Page />;
  };
  return Object.assign(LazyPage, { preload: async () => void (await preload()) });
}

const RELOADED_AT_KEY = 'hostler-reloaded-at';
/** What is missing still after that is not mended by another. */
const MIN_RELOAD_INTERVAL_MS = 60_000;

const hasReloadedRecently = () =>
  Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0) < MIN_RELOAD_INTERVAL_MS;

/**
 * After an upgrade of the service the parts of the version before are gone: then, and only then, the page is loaded anew. A service that is
 * only away must not cost the page.
 */
export function reloadAfterUpgrade(): void {
  globalThis.addEventListener('vite:preloadError', async () => {
    const isServerUp = await fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isServerUp || hasReloadedRecently()) return;
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()));
    location.reload();
  });
}
