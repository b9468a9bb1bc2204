const BOOT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** As Linux writes it, anew at every boot. */
export const isBootId = (text: string): boolean => BOOT_ID.test(text);
