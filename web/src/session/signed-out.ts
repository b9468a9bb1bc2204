const listeners = new Set<() => void>();

/** The service knows us no more: the session is over, or was ended elsewhere. */
export const tellSignedOut = (): void => {
  for (const listener of listeners) listener();
};

export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
