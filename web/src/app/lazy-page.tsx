import type { ComponentType } from 'react';
import { use } from 'react';

/** After so long, whoever tries again has it loaded again. */
const FAILED_FOR_MS = 1000;

class PageNotLoaded extends Error {
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
        }, FAILED_FOR_MS);
        throw new PageNotLoaded(cause);
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
