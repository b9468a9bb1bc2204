/** A moment as a part of a file's name: only digits and letters, and later ones sort behind. */
export const fileStamp = (nowMs: number): string => new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
