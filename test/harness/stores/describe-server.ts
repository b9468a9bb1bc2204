import { afterAll, beforeAll } from 'vitest';
import type { ServiceOverrides } from '../../../src/server/start-service.ts';
import type { TestService } from '../service.ts';
import { startTestService } from '../service.ts';
import type { StoreKind } from './stores.ts';
import { describeByStore, SQLITE_UNLESS_LONG } from './stores.ts';

/** Arguments: title, tests, settings and overrides of the service. */
type ServiceSuite = [
  name: string,
  suite: (service: () => TestService) => void,
  settings?: Readonly<Record<string, string>>,
  overrides?: ServiceOverrides,
];

function onStores(kinds: readonly StoreKind[] | undefined, [name, suite, settings, overrides]: ServiceSuite): void {
  describeByStore(
    kind => `${name}, on ${kind}`,
    kind => {
      let service: TestService;
      beforeAll(async () => {
        service = await startTestService(kind, settings, overrides);
      });
      afterAll(() => service.stop());
      suite(() => service);
    },
    kinds,
  );
}

/** Runs a suite against the real server over HTTP, once on each store. */
export const describeServer = (...suite: ServiceSuite): void => onStores(undefined, suite);

/** For suites that neither read nor write records: on PostgreSQL only in long runs. */
export const describeServerOnSqlite = (...suite: ServiceSuite): void => onStores(SQLITE_UNLESS_LONG, suite);
