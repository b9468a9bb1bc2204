/** The browser of the tests and of the pictures: Debian's, or the one that is named. */
export const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';
