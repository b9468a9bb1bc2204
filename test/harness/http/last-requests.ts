// The last requests of the running test, for the message of its failure.

const MAX_REQUESTS = 8;

interface SentRequest {
  text: string;
}

/** The newest request is at the end. */
export const lastRequests: SentRequest[] = [];

/** Returns the entry, to which the caller adds the result. */
export function recordRequest(text: string): SentRequest {
  const request = { text };
  lastRequests.push(request);
  if (lastRequests.length > MAX_REQUESTS) lastRequests.shift();
  return request;
}
