// How times are written: in the viewer's own language and zone.

const format = (options: Intl.DateTimeFormatOptions) => {
  const own = new Intl.DateTimeFormat(undefined, options);
  return (ms: number): string => own.format(ms);
};

export const fullTime = format({ dateStyle: 'medium', timeStyle: 'medium' });

/** Only the time of the day, to the second. */
export const clockTime = format({ timeStyle: 'medium' });

/** To the minute. */
export const minuteTime = format({ hour: '2-digit', minute: '2-digit' });

/** To the hour, with the day. */
export const hourOfDay = format({ month: 'short', day: 'numeric', hour: '2-digit' });
