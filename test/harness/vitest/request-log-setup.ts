// Adds the last HTTP requests of a failed test to its error message, so that they can be repeated with curl.

import { afterEach, beforeEach } from 'vitest';
import { clearRequests, formatLastRequests, markTestStart } from './last-requests.ts';
import { installRequestRecorders } from './record-requests.ts';

installRequestRecorders();

beforeEach(() => markTestStart());

afterEach(({ task }) => {
  const requests = formatLastRequests('test');
  clearRequests();
  if (task.result?.state === 'fail') for (const error of task.result.errors ?? []) error.message += requests;
});
