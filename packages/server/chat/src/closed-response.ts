/** In the form of the handler's own errors: a closed chat can no longer read or answer a request. */
export function closedResponse(): Response {
  const [message, remedy] = ['This server is shutting down.', 'Try again in a moment.'];
  const headers = { 'cache-control': 'no-store', 'retry-after': '1' };
  return Response.json({ error: { code: 'CLOSING', message, remedy } }, { status: 503, headers });
}
