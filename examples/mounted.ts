// An application with its own sign-in, which mounts the API and the console of Redial below a path.
import type { IncomingMessage } from 'node:http';
import { type CanActivate, Controller, type ExecutionContext, Get, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RedialModule } from 'redial-engine';
import { RedialHttpModule } from 'redial-engine/http';

@Controller('orders')
class Orders {
  @Get()
  list(): readonly string[] {
    return ['A1'];
  }
}

// #region mounted
const apiToken = 'an-operator-of-the-shop';

/** Guards all routes of the application, those of Redial included. */
@Injectable()
class SignedIn implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<IncomingMessage>();
    if (headers.cookie !== 'session=of-an-admin') return false;
    headers.authorization = `Bearer ${apiToken}`;
    return true;
  }
}

@Module({
  imports: [
    RedialModule.forRoot({ storage: 'memory' }),
    RedialHttpModule.forRoot({ path: '/redial', console: true, apiToken }),
  ],
  controllers: [Orders],
  providers: [{ provide: APP_GUARD, useClass: SignedIn }],
})
export class ShopModule {}
// #endregion
