const KEY = 'hostler-reloaded-at';
/** What is missing still after that is not mended by another. */
const AT_MOST_EVERY_MS = 60_000;

const hasReloadedLately = () => Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < AT_MOST_EVERY_MS;

/**
 * After an upgrade of the service the parts of the version before are gone: then, and only then, the page is loaded anew. A service that is
 * only away must not cost the page.
 */
export function reloadAfterUpgrade(): void {
  globalThis.addEventListener('vite:preloadError', async () => {
    const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isThere || hasReloadedLately()) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  });
}
