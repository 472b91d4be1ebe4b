import { Module } from '@nestjs/common';
import { optionsFrom, readEnvironment, RedialModule } from 'redial-engine';
import { RedialHttpModule } from 'redial-engine/http';
import { Desk } from './desk.js';
import * as functions from './functions.js';

/** Settings come from the environment: without any, one SQLite file in `.redial`, and models of OpenAI with the key in `OPENAI_API_KEY`. */
@Module({
  imports: [
    RedialModule.forRootAsync({
      useFactory: () => ({ ...optionsFrom(readEnvironment(process.env), process.env), ...functions }),
    }),
    RedialHttpModule.forRoot({ path: '/redial', console: true }),
  ],
  providers: [Desk],
})
export class AppModule {}
