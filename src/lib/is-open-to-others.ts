/** Whether others than the owner may do anything with a file or folder: read it, write it, or look for what is in it. */
export const isOpenToOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o077) !== 0;
