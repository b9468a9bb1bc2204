/** `npm run test:all` runs more rounds, seeds and samples, and the tests in `*.long.test.ts`. */
export const IS_LONG_RUN = Boolean(process.env['HOSTLER_TEST_ALL']);
