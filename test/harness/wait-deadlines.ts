// The default deadline of vitest is one second, too short for a busy machine.

import { vi } from 'vitest';

const DEADLINE_MS = 20_000;

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: DEADLINE_MS, ...options });
