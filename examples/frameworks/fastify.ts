import { createChat, toNodeListener } from '@hexagent/chat';
import { fastify } from 'fastify';

const chat = createChat({ session: { cwd: process.cwd(), permissions: { allow: ['Read', 'Grep'] } } });
const listener = toNodeListener(chat.handle);

const app = fastify();
app.register(async (routes) => {
  // The chat reads the body itself.
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', (_request, _body, done) => done(null));
  routes.all('/api/*', (request, reply) => {
    reply.hijack();
    listener(request.raw, reply.raw);
  });
});
app.addHook('preClose', () => chat.close());
await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' });
console.log('Listening');

const leave = (): void => void app.close();
process.once('SIGTERM', leave).once('SIGINT', leave);
