import { RequestRefused } from './client.ts';

/** Whether what is asked for many hosts goes on with the others. What concerns whoever asks, or the service, is the same for all. */
export const isOfOneHost = (error: unknown): error is RequestRefused =>
  error instanceof RequestRefused && [400, 404, 409].includes(error.status);
