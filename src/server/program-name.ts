/** How people call the program where it runs: a checkout has it on no path. A package has no TypeScript. */
export const programName = import.meta.url.endsWith('.ts') ? 'npx hostler' : 'hostler';
