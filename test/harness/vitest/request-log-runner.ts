import type { RunnerTestSuite } from 'vitest';
import { TestRunner } from 'vitest';
import { clearRequests, formatLastRequests } from './last-requests.ts';

/** Adds the last HTTP requests to the errors of `beforeAll` and `afterAll`. A setup file has no access to them. */
export default class RequestRunner extends TestRunner {
  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    const requests = formatLastRequests('suite');
    clearRequests();
    for (const error of suite.result?.errors ?? []) error.message += requests;
    await super.onAfterRunSuite(suite);
  }
}
