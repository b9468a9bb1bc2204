/** For what a host can answer from what it has at hand. */
export const ASK_TIMEOUT_MS = 30_000;
/** For a slow mirror and a busy disk. */
export const INSTALL_TIMEOUT_MS = 600_000;
