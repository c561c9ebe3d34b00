/** The two formats of a stream of changes: lines of JSON, and server-sent events. */

export interface StreamForm {
  /** The media type. */
  readonly type: string;
  /** A change, with its unique identifier. */
  readonly change: (text: string, id: string) => string;
  /** The position of the stream while there are no changes. */
  readonly position: (id: string | null) => string;
  /** Why the stream ends. */
  readonly error: (text: string) => string;
}

export const LINES: StreamForm = {
  type: 'application/x-ndjson',
  change: (text) => `${text}\n`,
  position: (id) => `{"object":"position","position":${id === null ? 'null' : `"${id}"`}}\n`,
  error: (text) => `${text}\n`,
};

/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const EVENTS: StreamForm = {
  type: 'text/event-stream',
  change: (text, id) => `id: ${id}\nevent: change\ndata: ${text}\n\n`,
  // An identifier without data moves the position from which a client resumes, without raising an event.
  position: (id) => (id === null ? ':\n\n' : `id: ${id}\n\n`),
  error: (text) => `event: error\ndata: ${text}\n\n`,
};
