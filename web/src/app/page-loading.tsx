import type { ComponentType } from 'react';
import { use } from 'react';

const RETRY_AFTER_MS = 1000;

/**
 * Loads a page on first use. A failed load throws an error and does not reload the document: while the server is
 * unavailable, a reload would lose the current page.
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
        throw new Error('Could not load this page. Check the connection to the server and try again.', { cause });
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
/** If a chunk is still missing after a reload, another reload does not help. */
const MIN_RELOAD_INTERVAL_MS = 60_000;

const hasReloadedRecently = () =>
  Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0) < MIN_RELOAD_INTERVAL_MS;

/**
 * Reloads the document when a chunk is missing after an upgrade of the server. Does nothing while the server is
 * unavailable.
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
