import { afterAll, beforeAll } from 'vitest';
import type { ServiceOverrides } from '../../../src/server/start-service.ts';
import type { TestService } from '../service.ts';
import { startTestService } from '../service.ts';
import { describeStores } from './stores.ts';

/** Runs a suite against the real service over HTTP, once on each store. The service is there when the tests run. */
export function onEachStore(
  what: string,
  suite: (service: () => TestService) => void,
  settings?: Readonly<Record<string, string>>,
  overrides?: ServiceOverrides,
): void {
  describeStores(
    kind => `${what}, on ${kind}`,
    kind => {
      let service: TestService;
      beforeAll(async () => {
        service = await startTestService(kind, settings, overrides);
      });
      afterAll(() => service.stop());
      suite(() => service);
    },
  );
}
